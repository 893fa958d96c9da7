/** The official client of the public service. It does not validate responses. */
import { MicrosoftResourceHealth } from "@azure/arm-resourcehealth"

export const read = async ({ baseUrl, subscription, token }, onPage) => {
  const credential = { getToken: () => Promise.resolve({ token, expiresOnTimestamp: Number.MAX_SAFE_INTEGER }) }
  const client = new MicrosoftResourceHealth(credential, subscription, {
    allowInsecureConnection: true,
    apiVersion: "2025-05-01",
    endpoint: baseUrl,
  })
  // Its own policy never sends a token over plain HTTP.
  client.pipeline.removePolicy({ name: "bearerTokenAuthenticationPolicy" })
  client.pipeline.addPolicy({
    name: "bearerOverLoopback",
    sendRequest: (request, next) => {
      request.headers.set("authorization", `Bearer ${token}`)
      return next(request)
    },
  })
  for await (const page of client.eventsOperations.listBySubscriptionId().byPage()) onPage(page)
}
