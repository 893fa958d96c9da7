/**
 * `npm start` as a newcomer runs it: it prints the table on stdout and a summary on stderr. With `--output json`, stdout is JSON and
 * nothing else, and holds as many events as the summary says.
 */
import { run } from "./workspace.mjs"

const fail = (why, { printed }) => {
  console.error(`${why}\n${printed}`)
  process.exit(1)
}

const table = run("npm", ["start", "--silent"])
const summary = /^(\d+) events on (\d+) pages$/.exec(table.printed.trim().split("\n").at(-1) ?? "")
if (table.status !== 0 || summary === null) fail("npm start does not end with a summary on stderr.", table)
const [, events, pages] = summary.map(Number)
if (pages < 2) fail("npm start read a single page.", table)

const json = run("npm", ["start", "--silent", "--", "events", "list", "--output", "json"])
if (json.status !== 0 || JSON.parse(json.stdout).length !== events) fail("--output json prints something else.", json)

const profile = run("npm", ["start", "--silent", "--", "apps", "whoami"])
if (profile.status !== 0) fail("apps whoami fails.", profile)

console.log(summary[0])
