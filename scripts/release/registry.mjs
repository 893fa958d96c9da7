/** A registry of our own packages alone, on this machine, empty at the start; all other packages come from where npm has them. */
import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { environment, root } from "../workspace.mjs"

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Nothing is asked of another registry, so that what is found here was published here. Anyone may publish. */
const config = (storage) => ({
  storage,
  auth: { htpasswd: { file: join(storage, "htpasswd"), max_users: -1 } },
  uplinks: {},
  packages: { "@vigil/*": { access: "$all", publish: "$all" } },
  web: { enable: false },
  max_body_size: "50mb",
  log: { type: "stdout", format: "json", level: "warn" },
})

/** Starts verdaccio. Hands back its address, and the lines of an `.npmrc` that lead our own packages to it. */
export const startRegistry = async (folder) => {
  const port = await freePort()
  mkdirSync(folder)
  // YAML takes JSON.
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config(join(folder, "storage"))))
  const args = [
    join(root, "node_modules/verdaccio/bin/verdaccio"),
    "--config",
    join(folder, "config.yaml"),
    "--listen",
    `127.0.0.1:${port}`,
  ]
  const server = spawn(process.execPath, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] })
  process.on("exit", () => server.kill())
  const said = []
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (data) => said.push(data))

  const url = `http://127.0.0.1:${port}/`
  const deadline = Date.now() + 30_000
  const answers = async () => {
    const answer = await fetch(`${url}-/ping`).catch(() => undefined)
    if (answer?.ok) return undefined
    if (server.exitCode !== null || Date.now() > deadline)
      throw new Error(`The registry does not start:\n${said.join("")}`)
    await setTimeout(100)
    return answers()
  }
  await answers()
  return {
    url,
    // npm sends nothing without a token, be it one that nobody knows.
    npmrc: `@vigil:registry=${url}\n${url.replace("http:", "")}:_authToken=none\n`,
    /** The version that a tag of a package stands for; nothing where there is none. */
    tagged: async (name, tag) => (await (await fetch(url + name.replace("/", "%2f"))).json())["dist-tags"]?.[tag],
    stop: () => server.kill(),
  }
}
