/** The API version that requests name: a known one, or any text of the form of one. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Suggestion from "@vigil/health-text/Suggestion"
import * as Schema from "effect/Schema"
import * as Flag from "../flags/Flag.js"

/** A date, and the name of a preview or the like. */
const form = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:-[a-z][\w.-]{0,40})?$/i

export const schema = ApiVersion.ApiVersion.pipe(Schema.check(Schema.makeFilter((version) => form.test(version))))

const examples = [ApiVersion.defaultVersion, ApiVersion.all.find((version) => version.endsWith("-preview"))]

export const expected = `a version such as ${examples.join(" or ")}`

export const decode = Schema.decodeUnknownOption(schema)

/** Completes the known versions. */
export const value: Flag.Value<ApiVersion.ApiVersion> = {
  ...Flag.parsed("version", expected, decode),
  choices: ApiVersion.all,
}

const isKnown = Schema.is(ApiVersion.Known)

/** What to know about a version that this program does not know; `undefined` for a known one. */
export const remark = (version: ApiVersion.ApiVersion): string | undefined =>
  isKnown(version)
    ? undefined
    : `API version ${version} is not known here: events are checked as those of ${ApiVersion.latest}, and other fields are shown as the service sends them.${Suggestion.question(version, ApiVersion.all)}`
