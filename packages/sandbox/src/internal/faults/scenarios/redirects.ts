/** Redirects: away, in circles, to nowhere, and those that may be followed. */
import * as Reply from "../../../Reply.js"
import { always, host, last } from "../pages.js"
import { fault, type Draft } from "../scenario.js"

const away = (status: number): Draft =>
  fault(21, `Every request is redirected to another origin with ${status}.`, ({ foreign }) => [
    Reply.redirect(status, `${foreign}/page`),
  ])

/** A redirect within the service, and then a page. */
const within = (status: number): Draft["script"] => always(Reply.redirect(status, "/moved?a=b"), last)

export const redirects = {
  "redirect-301-other-origin": away(301),
  "redirect-302-other-origin": away(302),
  "redirect-303-other-origin": away(303),
  "redirect-307-other-origin": away(307),
  "redirect-308-other-origin": away(308),
  "redirect-http": {
    ...fault(
      21,
      "The service speaks TLS, and redirects to its host and port over plain http.",
      () => (request) => Reply.redirect(302, `http://${host(request.origin)}/page`),
    ),
    tls: true,
  },
  "redirect-protocol-relative": fault(21, "Every request is redirected to two slashes and another host.", (context) => [
    Reply.redirect(302, `//${host(context.foreign)}/page`),
  ]),
  "redirect-303": fault(22, "The first request, be it a POST, is redirected with 303 within the service.", within(303)),
  "redirect-loop": fault(
    22,
    "Two addresses redirect to each other.",
    () => (request) => Reply.redirect(302, request.target === "/a" ? "/b" : "/a"),
  ),
  "redirect-malformed": fault(22, "The Location is malformed.", always(Reply.redirect(302, "http://[::1/page"))),
  "redirect-file": fault(22, "The Location names a file.", always(Reply.redirect(302, "file:///etc/passwd"))),
  "redirect-nowhere": fault(22, "The redirect has no Location.", always(Reply.empty(302))),
  "redirect-same-origin": fault(23, "The first request is redirected with 302 within the service.", within(302)),
  "redirect-same-origin-307": fault(23, "The first request is redirected with 307 within the service.", within(307)),
  "redirect-chain": fault(23, "Thirty redirects within the service, one after the other, and then a page.", () => [
    ...Array.from({ length: 30 }, (_, hop) => Reply.redirect(302, `/hop/${hop + 1}`)),
    last,
  ]),
} satisfies Readonly<Record<string, Draft>>
