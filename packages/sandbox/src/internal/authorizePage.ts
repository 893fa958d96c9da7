/** The pages on which a person allows an application to act for them, or reads why that can't be asked. */
import { createHash } from "node:crypto"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}a{margin-right:1rem}"

/** Nothing is loaded, run, framed or sent from here; the one style is known by its hash. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** The text as text and as the value of an attribute. */
const escape = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)

const page = (status: number, title: string, body: string) =>
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

/** What a person decides on. */
export interface Question {
  readonly clientId: string
  /** The origin that learns of the decision. */
  readonly origin: string
  readonly scope: string
  /** Where either decision leads. */
  readonly allow: string
  readonly deny: string
}

/** Asks for the decision. */
export const question = ({ allow, clientId, deny, origin, scope }: Question) =>
  page(
    200,
    "Allow access?",
    `<p>The application <strong>${escape(clientId)}</strong> asks to act for you at the sandbox:</p>
<ul>${scope
      .split(" ")
      .map((word) => `<li><code>${escape(word)}</code></li>`)
      .join("")}</ul>
<p>Your answer goes to <strong>${escape(origin)}</strong>.</p>
<p><a id="allow" href="${escape(allow)}">Allow</a> <a id="deny" href="${escape(deny)}">Deny</a></p>`,
  )

/** Says why nothing can be asked, to the person alone. */
export const failure = (reason: string) => page(400, "This request can't be answered", `<p>${escape(reason)}</p>`)
