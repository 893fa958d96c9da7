/** The HTML pages of the portal. */
import { type Accounts, type App, fullName } from "../../Accounts.js"
import type { Token } from "../../Tokens.js"
import { escape, page } from "../htmlPage.js"

const home = `<p><a href="/portal">API tokens</a></p>`

const row = ({ access, createdAt, id, name, ...token }: Token): string =>
  `<tr><td>${escape(name)}</td><td>${token.kind}</td><td>${access}</td><td>${token.kind === "app" ? escape(token.app) : ""}</td>
<td>${new Date(createdAt).toISOString()}</td>
<td><form method="post" action="/portal/tokens/${encodeURIComponent(id)}/delete"><button>Delete</button></form></td></tr>`

const pageUrl = ({ name, owner }: App): string =>
  `/${owner.type}s/${encodeURIComponent(owner.name)}/apps/${encodeURIComponent(name)}`

export const tokens = (user: string, tokens: ReadonlyArray<Token>, apps: ReadonlyArray<App>) =>
  page({
    status: 200,
    title: "API tokens",
    forms: true,
    body: `<p>Account: <strong>${escape(user)}</strong></p>
<table>
<tr><th>Name</th><th>Kind</th><th>Access</th><th>App</th><th>Created</th><th></th></tr>
${tokens.map(row).join("\n")}
</table>
<h2>New token</h2>
<form method="post" action="/portal/tokens">
<label>Name <input name="name" required maxlength="100"></label>
<label>Access <select name="access"><option value="read-only">Read-only</option><option value="full">Full access</option></select></label>
<label>For <select name="app"><option value="">all my apps</option>
${apps.map((app) => `<option>${escape(fullName(app))}</option>`).join("\n")}
</select></label>
<button>Create</button>
</form>
<h2>Apps</h2>
<ul>
${apps.map((app) => `<li><a href="${escape(pageUrl(app))}">${escape(fullName(app))}</a></li>`).join("\n")}
</ul>`,
  })

export const created = (name: string, value: string) =>
  page({
    status: 201,
    title: "New token",
    body: `<p>The token <strong>${escape(name)}</strong>:</p>
<p><code id="value">${escape(value)}</code></p>
<p>Copy it now. It is not shown again.</p>
${home}`,
  })

export const app = ({ organizations, users }: Accounts, app: App) => {
  const { description, display_name, os, owner, platform } = app
  const ownerName = [...users, ...organizations].find(({ name }) => name === owner.name)?.display_name ?? owner.name
  return page({
    status: 200,
    title: display_name,
    body: `<p><code>${escape(fullName(app))}</code> of ${escape(ownerName)}, for ${escape(os)} (${escape(platform)}).</p>
<p>${escape(description ?? "")}</p>
${home}`,
  })
}

export const failure = (status: number, reason: string) =>
  page({ status, title: "Error", body: `<p>${escape(reason)}</p>\n${home}` })
