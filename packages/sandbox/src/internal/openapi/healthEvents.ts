/** The health events API, declared for its OpenAPI document. What is served stands in `healthApi.ts`. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as ErrorResponse from "@vigil/health-schema/ErrorResponse"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Schema from "effect/Schema"
import { refusing, withComponents } from "./refusing.js"

/** Where it is served, and the vendor part of its paths. */
export interface Options {
  readonly baseUrl: string
  readonly vendor: string
}

const optional = (description: string) =>
  Schema.optionalWith(Schema.String.annotations({ description }), { exact: true })

const query = {
  "api-version": ApiVersion.Known,
  $filter: optional("Such as service eq 'A' or region eq 'b'"),
  $skipToken: optional("From the nextLink of the page before"),
}

const Page = Schema.Union(EventsPage.EventsPage["2025-05-01"], EventsPage.EventsPage["2025-04-01"])
const Event = Schema.Union(HealthEvent.HealthEvent["2025-05-01"], HealthEvent.HealthEvent["2025-04-01"])
const Refusal = Schema.Union(ErrorResponse.ErrorResponse, ErrorResponse.Nested).annotations({ identifier: "Refusal" })

const subscription = HttpApiSchema.param("subscriptionId", Schema.String)
const trackingId = HttpApiSchema.param("trackingId", Schema.String)
const resource = HttpApiSchema.param(
  "resourceUri",
  Schema.String.annotations({ description: "Without the slash that it begins with; its others may be encoded" }),
)

/** The scheme by the name of the document ("Authentication"), which the library has no word for. */
const scheme = (baseUrl: string) => ({
  securitySchemes: {
    platform_auth: {
      type: "oauth2",
      flows: {
        implicit: {
          authorizationUrl: `${baseUrl}/common/oauth2/authorize`,
          scopes: { user_impersonation: "Act as the user who signs in" },
        },
      },
    },
  },
})

/** The API. */
export const make = ({ baseUrl, vendor }: Options) => {
  const suffix = `/providers/${vendor}.ResourceHealth/events` as const
  const events = HttpApiGroup.make("events")
    .add(
      HttpApiEndpoint.get("listBySubscription", `/subscriptions/:subscriptionId${suffix}`)
        .setPath(Schema.Struct({ subscriptionId: subscription }))
        .setUrlParams(Schema.Struct({ ...query, queryStartTime: optional("Month/day/year, such as 7/24/2020") }))
        .addSuccess(Page)
        .annotate(
          OpenApi.Summary,
          "The events of a subscription, of the last three days unless queryStartTime is given",
        )
        .annotate(OpenApi.Transform, refusing("Refusal", 400, 401, 404)),
    )
    .add(
      HttpApiEndpoint.get("listByResource", `/:resourceUri${suffix}`)
        .setPath(Schema.Struct({ resourceUri: resource }))
        .setUrlParams(Schema.Struct(query))
        .addSuccess(Page)
        .annotate(OpenApi.Summary, "The events of a resource")
        .annotate(OpenApi.Transform, refusing("Refusal", 400, 401, 404)),
    )
    .add(
      HttpApiEndpoint.post("fetchEventDetails", `/subscriptions/:subscriptionId${suffix}/:trackingId/fetchEventDetails`)
        .setPath(Schema.Struct({ subscriptionId: subscription, trackingId }))
        .setUrlParams(Schema.Struct({ "api-version": ApiVersion.Known }))
        .addSuccess(Event)
        .annotate(OpenApi.Summary, "An event with nothing withheld")
        .annotate(OpenApi.Transform, refusing("Refusal", 400, 401, 403, 404)),
    )
    .annotateEndpoints(OpenApi.Override, { security: [{ platform_auth: ["user_impersonation"] }] })
  return HttpApi.make("health-events")
    .add(events)
    .annotate(HttpApi.AdditionalSchemas, [Refusal])
    .annotate(OpenApi.Title, "Health events")
    .annotate(OpenApi.Version, ApiVersion.all.join(", "))
    .annotate(OpenApi.Transform, withComponents(scheme(baseUrl)))
}
