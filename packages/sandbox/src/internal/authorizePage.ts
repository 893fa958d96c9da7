/** The pages on which a person allows an application to act for them, or reads why that can't be asked. */
import { escape, page } from "./htmlPage.js"

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
  page({
    status: 200,
    title: "Allow access?",
    body: `<p>The application <strong>${escape(clientId)}</strong> asks to act for you at the sandbox:</p>
<ul>${scope
      .split(" ")
      .map((word) => `<li><code>${escape(word)}</code></li>`)
      .join("")}</ul>
<p>Your answer goes to <strong>${escape(origin)}</strong>.</p>
<p><a id="allow" href="${escape(allow)}">Allow</a> <a id="deny" href="${escape(deny)}">Deny</a></p>`,
  })

/** Says why nothing can be asked, to the person alone. */
export const failure = (reason: string) =>
  page({ status: 400, title: "This request can't be answered", body: `<p>${escape(reason)}</p>` })
