/** Links that lead away from the service: to another origin, or to what is no address of a page. */
import { host, leadingTo } from "../pages.js"
import { fault, type Draft } from "../scenario.js"

const port = (origin: string): string => new URL(origin).port

export const foreignLinks = {
  "next-link-other-host": fault(
    1,
    "The link leads to another host.",
    leadingTo((_, { foreign }) => `http://localhost:${port(foreign)}/page?$skipToken=2`),
  ),
  "next-link-other-port": fault(
    2,
    "The link leads to another port of the same host.",
    leadingTo((_, { foreign }) => `${foreign}/page?$skipToken=2`),
  ),
  "next-link-http": {
    ...fault(
      3,
      "The service speaks TLS, and the link leads to its host and port over plain http.",
      leadingTo(({ origin }) => `http://${host(origin)}/page?$skipToken=2`),
    ),
    tls: true,
  },
  "next-link-userinfo": fault(
    4,
    "The link has the service as its user, and another host.",
    leadingTo(({ origin }, { foreign }) => `http://${host(origin)}@${host(foreign)}/page?$skipToken=2`),
  ),
  "next-link-at-sign": fault(
    4,
    "The link begins with an @, so that put behind a base address it has another host.",
    leadingTo((_, { foreign }) => `@${host(foreign)}/page?$skipToken=2`),
  ),
  "next-link-protocol-relative": fault(
    5,
    "The link begins with two slashes and another host.",
    leadingTo((_, { foreign }) => `//${host(foreign)}/page?$skipToken=2`),
  ),
  "next-link-backslashes": fault(
    5,
    "The link begins with two backslashes and another host, which the URL standard reads as slashes.",
    leadingTo((_, { foreign }) => `\\\\${host(foreign)}/page?$skipToken=2`),
  ),
  "next-link-malformed": fault(
    14,
    "The link is malformed.",
    leadingTo(() => "http://[::1/page?$skipToken=2"),
  ),
  "next-link-file": fault(
    15,
    "The link names a file.",
    leadingTo(() => "file:///etc/passwd"),
  ),
  "next-link-javascript": fault(
    15,
    "The link is a script.",
    leadingTo(() => "javascript:alert(1)"),
  ),
  "next-link-data": fault(
    15,
    "The link is a page in itself.",
    leadingTo(() => `data:application/json,{"value":[]}`),
  ),
} satisfies Readonly<Record<string, Draft>>
