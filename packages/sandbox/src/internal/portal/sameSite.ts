/** Whether a request of a browser comes from this server's own pages. */
import type * as Headers from "@effect/platform/Headers"

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/** Whether this machine is called by a name of its own. A foreign name may lead here too, and is then the origin of foreign pages. */
export const isHome = ({ host = "" }: Headers.Headers): boolean => loopback.test(host)

/** Whether a form was sent from a page of this origin: what no other page can make a browser say. */
export const isOwnForm = (headers: Headers.Headers, protocol: string): boolean =>
  isHome(headers) &&
  headers["origin"] === `${protocol}//${headers["host"]}` &&
  (headers["sec-fetch-site"] ?? "same-origin") === "same-origin"
