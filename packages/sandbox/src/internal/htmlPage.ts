/** HTML pages that load nothing, cannot be framed, and run no script. */
import { createHash } from "node:crypto"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}a{margin-right:1rem}"

export const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

export interface Options {
  readonly status: number
  readonly title: string
  readonly body: string
}

export const page = ({ body, status, title }: Options): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escape(title)}</title><style>${style}</style></head>
<body>
<h1>${escape(title)}</h1>
${body}
</body>
</html>
`,
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": policy,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      },
    },
  )
