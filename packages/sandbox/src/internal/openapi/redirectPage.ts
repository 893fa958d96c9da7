/** The page to which the implicit flow leads from the interactive page of an API, which opened it and waits for the token. */
import { createHash } from "node:crypto"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"

/** Hands what the fragment says to the page that asked, by the name under which it left its question. */
const script = `
const asked = window.opener.swaggerUIRedirectOauth2
const token = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
asked.callback({ auth: asked.auth, token, isValid: token.state === asked.state, redirectUrl: asked.redirectUrl })
window.close()
`

const policy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** The page. */
export const redirectPage = HttpServerResponse.text(
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signed in</title></head><body><script>${script}</script></body></html>`,
  {
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": policy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  },
)
