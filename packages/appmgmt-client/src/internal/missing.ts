/** What a removal that was answered 404 did not find, by the service's own words, as the document shows none. */
import type { NotFound } from "@vigil/core-http/ServiceError"
import * as Option from "effect/Option"
import * as AppName from "../AppName.js"
import type { Email } from "../Email.js"

/**
 * `what` was not found, where the words name it. `isPlain`: they are words of the service, and leave open neither which of the two
 * they are about, nor whether they are about the address of the request, as those of gateways are.
 */
export interface Missing {
  readonly what: "user" | "app" | undefined
  readonly isPlain: boolean
}

const ofUser = /user|member|collaborator|\be ?mail/i
const ofApp = /\b(app(lication)?|owner|org(anization)?)s?\b/i
/** What routers and gateways find nothing at. */
const ofAddress = /\b(path|route|ur[il]|endpoint|resource)s?\b/i

interface Subjects {
  readonly user: boolean
  readonly app: boolean
  readonly address: boolean
}

/** What a text speaks of; the words of codes count as well: `AppNotFound`, `app_not_found`. */
const subjectsOf = (text: string): Subjects => {
  const words = text.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_-]/g, " ")
  return { user: ofUser.test(words), app: ofApp.test(words), address: ofAddress.test(words) }
}

const hasAny = ({ address, app, user }: Subjects): boolean => address || app || user

const decode = Option.liftThrowable(decodeURIComponent)

/** The text, what is written in it as in an address read as it is meant. */
const meant = (text: string): string =>
  text.replace(/(%[0-9a-f]{2})+/gi, (escapes) => Option.getOrElse(decode(escapes), () => escapes))

/** A text as the regular expression of itself, where no letter or digit goes on with it. */
const literal = (text: string): string => `${meant(text).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`

/** Without these names, the longest first, which a service may repeat in another case: a word in there tells nothing. */
const without = (text: string, names: ReadonlyArray<string>): string =>
  names
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replace(new RegExp(`(?<![\\p{L}\\p{N}])${literal(name)}`, "giu"), "…"), text)

/** Without the path of the request, and whatever address it is a part of. */
const withoutPath = (text: string, app: AppName.AppName, email: Email): string =>
  text.replace(new RegExp(`\\S*${literal(`/apps/${AppName.format(app)}/users/${email}`)}`, "giu"), "…")

/** By its code, and where that names neither, by its message. One that names both is about the user: of an app. */
export const read = ({ code, detail }: NotFound, app: AppName.AppName, email: Email): Missing => {
  const coded = subjectsOf(code ?? "")
  if (coded.user || coded.app) return { what: coded.user ? "user" : "app", isPlain: !(coded.user && coded.app) }
  const whole = meant(detail ?? "")
  const placeless = withoutPath(whole, app, email)
  const named = without(placeless, [email])
  const said = subjectsOf(without(named, [AppName.format(app), app.app, app.owner]))
  const isOfAddress = coded.address || said.address || placeless !== whole
  // The name of an app may be the very word that would have told.
  const isHidden = !hasAny(said) && hasAny(subjectsOf(named))
  return {
    what: said.user ? "user" : said.app ? "app" : undefined,
    isPlain: (code ?? detail) !== undefined && !(said.user && said.app) && !isOfAddress && !isHidden,
  }
}
