/** A page for a person: nothing is loaded, run or framed, and what stands in it is only ever text. */
import { createHash } from "node:crypto"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"

const style = [
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}a{margin-right:1rem}",
  "table{border-collapse:collapse}th,td{text-align:left;padding:.2rem 1rem .2rem 0}label{display:block;margin:.5rem 0}",
].join("")

/** Escapes text for an element or a quoted attribute. */
export const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The one style is known by its hash. */
const policy = (forms: boolean): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "base-uri 'none'",
    `form-action ${forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join("; ")

/** What a page is made of: a title, which is text, and a body, which is HTML. With `forms`, it may send some to where it is from. */
export interface Options {
  readonly status: number
  readonly title: string
  readonly body: string
  readonly forms?: boolean
}

/** The page, which nobody keeps. */
export const page = ({ body, forms = false, status, title }: Options): HttpServerResponse.HttpServerResponse =>
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
        "content-security-policy": policy(forms),
        "cache-control": "no-store",
        // With none at all, a browser would not say where a form comes from.
        "referrer-policy": forms ? "same-origin" : "no-referrer",
        "x-content-type-options": "nosniff",
      },
    },
  )
