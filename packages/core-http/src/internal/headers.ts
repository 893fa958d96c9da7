/** Headers of requests: which ones only the client sets, and which are invalid. */
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"

/** Only the HTTP client sets these headers. */
export const ofConnection: ReadonlyArray<string> =
  "connection content-length expect host keep-alive transfer-encoding te trailer upgrade".split(" ")

/** These headers describe a request, and cannot authenticate it. */
export const isReserved = (name: string): boolean =>
  ofConnection.includes(name.toLowerCase()) || /^(accept|content-.*|user-agent)$/i.test(name)

export const isName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)

const isValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

/** Fails before it sends an invalid header. The errors of fetch and undici for it look like those of lost connections. */
export const checked: (client: HttpClient.HttpClient) => HttpClient.HttpClient = HttpClient.transform(
  (response, request) => {
    if (Object.entries(request.headers).every(([name, value]) => isName(name) && isValue(value))) return response
    const reason = new HttpClientError.EncodeError({ request, cause: { code: "ERR_INVALID_CHAR" } })
    return new HttpClientError.HttpClientError({ reason })
  },
)
