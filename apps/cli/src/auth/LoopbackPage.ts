/** The page that a browser is sent back to: it takes the answer out of the address, hands it over, and says how it went. */
import { createHash } from "node:crypto"

/** Where the page hands the answer to, and what it says then. */
export interface Words {
  readonly title: string
  readonly text: string
}

/** What the page says at the end of all that it says. */
const farewell = "You can close this window."

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}h1{font-size:1.5rem}"

/** The fragment leaves the address and the history before anything else is done. */
const script = `
const answer = location.hash
history.replaceState(null, "", location.pathname)
const say = ({ title, text }) => {
  document.title = title
  document.querySelector("h1").textContent = title
  document.querySelector("p").textContent = text + " ${farewell}"
}
const gone = { title: "Nobody waits for this answer", text: "Run the command again to sign in." }
if (answer.length > 1)
  fetch(document.body.dataset.path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ answer }),
  })
    .then((response) => (response.ok ? response.json() : gone))
    .catch(() => gone)
    .then(say)
else say({ title: "There is no answer here", text: "Sign in by the address that the command printed." })
`

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** Only this script and this style, and only to where the page is from. Nobody keeps or frames it, or learns where it was. */
export const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
}

/** The page. `path`, of URL characters, is where it hands the answer to. */
export const html = (path: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Signing in</title><style>${style}</style></head>
<body data-path="${path}">
<h1>Signing in</h1>
<p role="status">One moment.</p>
<noscript>This page needs scripts to hand the answer over. Without them, sign in by vigil auth login --token-stdin.</noscript>
<script>${script}</script>
</body>
</html>
`
