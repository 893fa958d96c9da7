/** The published command: its start-up time, and whether it prints the first line before it requests the second page. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { page, values } from "./pages.mjs"
import { median } from "./race.mjs"

const bin = fileURLToPath(new URL("../apps/cli/dist/bin.js", import.meta.url))

const milliseconds = (args) => {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
  if (status !== 0) throw new Error(`The command failed: ${stderr}`)
  return performance.now() - started
}

/** The median start-up times of `node -e 0`, `vigil --version` and `vigil --help`. */
export const starts = (rounds) => {
  const commands = { nothing: ["-e", "0"], version: [bin, "--version"], help: [bin, "--help"] }
  const times = { nothing: [], version: [], help: [] }
  for (let round = 0; round < rounds; round++)
    for (const [name, args] of Object.entries(commands)) times[name].push(milliseconds(args))
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]))
}

/** In how many of `rounds` runs `events list --output jsonl` prints the first event before it requests the second page. */
export const firstLines = async (rounds) => {
  const [value] = values({ distinct: 1 })
  let hasPrinted
  let inTime = 0
  const server = createServer((request, response) => {
    const second = request.url.includes("skipToken")
    if (second && hasPrinted) inTime += 1
    const link = second ? "" : `http://${request.headers.host}${request.url}&$skipToken=2`
    response.writeHead(200, { "content-type": "application/json" }).end(page(value, link))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const env = {
    ...process.env,
    HEALTH_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    HEALTH_ACCESS_TOKEN: "a.b.c",
    HEALTH_SUBSCRIPTION: "00000000-0000-4000-8000-000000000001",
  }
  for (let round = 0; round < rounds; round++) {
    hasPrinted = false
    const command = spawn(process.execPath, [bin, "events", "list", "--output", "jsonl"], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    })
    command.stdout.on("data", () => {
      hasPrinted = true
    })
    const [code] = await once(command, "exit")
    if (code !== 0) throw new Error(`It ended with ${code}`)
  }
  server.close()
  return inTime
}
