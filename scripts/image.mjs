/**
 * Builds the Dockerfile with buildah, and checks the image. Its base image has the release of Debian or Ubuntu, the Node.js and the npm of this
 * machine: the weekly workflow also builds on the real one. Downloads packages of the system and of npm. Needs root, buildah and debootstrap.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { parse } from "yaml"
import { commandVersion, environment, need, root, run, scratch } from "./workspace.mjs"

const place = scratch("image")
const storage = ["--storage-driver=vfs", `--root=${join(place, "storage")}`, `--runroot=${join(place, "run")}`]
const env = { ...environment, BUILDAH_ISOLATION: "chroot" }
const buildah = (...args) => need("buildah", [...storage, ...args], { env }).trim()

const expectEqual = (what, found, expected) => {
  if (!isDeepStrictEqual(found, expected))
    throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}.`)
  console.log(`ok   ${what}: ${JSON.stringify(found)}`)
}

/** Creates the image that the Dockerfile begins with. */
const createBase = (name) => {
  const base = join(place, "base")
  const [, release] = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync("/etc/os-release", "utf8"))
  need("debootstrap", ["--variant=minbase", release, base])
  const npm = dirname(dirname(realpathSync(need("sh", ["-c", "command -v npm"]).trim())))
  cpSync(process.execPath, join(base, "usr/local/bin/node"))
  cpSync(npm, join(base, "usr/local/lib/node_modules/npm"), { recursive: true })
  for (const command of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${command}-cli.js`, join(base, "usr/local/bin", command))
  const container = buildah("from", "scratch")
  // The registry of this machine may need its certificates.
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates !== undefined) {
    mkdirSync(dirname(join(base, certificates)), { recursive: true })
    cpSync(certificates, join(base, certificates))
    buildah("config", "--env", `NODE_EXTRA_CA_CERTS=${certificates}`, container)
  }
  buildah("add", "--quiet", container, base, "/")
  buildah("commit", "--quiet", "--rm", container, name)
}

const [, base] = /^FROM ([^-]\S+)$/m.exec(readFileSync(join(root, "Dockerfile"), "utf8"))
createBase(`docker.io/library/${base}`)
const [version, revision] = [commandVersion(), need("git", ["rev-parse", "HEAD"]).trim()]
const args = [`VERSION=${version}`, `REVISION=${revision}`].flatMap((arg) => ["--build-arg", arg])
buildah("bud", "--pull-never", "--format", "docker", ...args, "--tag", "vigil", root)

const { config } = JSON.parse(buildah("inspect", "--type", "image", "vigil")).Docker
const label = (name) => config.Labels[`org.opencontainers.image.${name}`]
const labels = ["source", "version", "revision"].map(label)
expectEqual("labels", labels, ["https://github.com/vigil-effect/vigil", version, revision])

const container = buildah("from", "vigil")
const token = "0123456789abcdef"
const variables = ["VIGIL_SANDBOX=1", `VIGIL_SERVE_TOKEN=${token}`].flatMap((variable) => ["--env", variable])
const inContainer = (...command) => ["buildah", ...storage, "run", ...variables, container, "--", ...command]
const execute = (...command) => run("env", inContainer(...command), { env })

expectEqual("user", execute("id", "-u").stdout.trim(), "1000")
const list = execute("vigil", "events", "list", "--output", "json")
expectEqual("events list has events", JSON.parse(list.stdout).length > 0, true)
const why = execute("vigil", "why", "web-1", "--subscription", "Production")
expectEqual("exit code of why", why.status, 10)
console.log(`     ${why.stdout.split("\n", 1)[0]}`)

// A network of its own, so that the port is free. The shell prints its process ID, which that of the server is too.
const command = inContainer("sh", "-c", 'echo $$; exec "$@"', "sh", ...config.Entrypoint, ...config.Cmd)
const server = spawn("unshare", ["--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...command], { env })
const ended = once(server, "exit")
const pid = Number.parseInt(String((await once(server.stdout, "data"))[0]))
process.on("exit", () => server.exitCode ?? process.kill(pid, "SIGKILL"))
const inNetwork = (...command) => run("nsenter", ["--net", "--target", pid, ...command], { env })

const [, ...healthCheck] = config.Healthcheck.Test
for (let attempt = 0; inNetwork(...inContainer(...healthCheck)).status !== 0; attempt++) {
  if (attempt > 60 || server.exitCode !== null) throw new Error("The health check did not succeed within a minute.")
  await setTimeout(1_000)
}
console.log("ok   health check")

const deployment = readFileSync(join(root, "deploy/kubernetes/serve/deployment.yaml"), "utf8")
const [{ livenessProbe, ports, readinessProbe }] = parse(deployment).spec.template.spec.containers
const get = (path, headers) => {
  const request = `fetch("http://127.0.0.1:${ports[0].containerPort}${path}", ${JSON.stringify({ headers })})`
  const print = "async (response) => console.log(JSON.stringify([response.status, await response.text()]))"
  return JSON.parse(inNetwork(process.execPath, "-e", `${request}.then(${print})`).stdout)
}
const headers = { authorization: `Bearer ${token}` }
for (const { path } of [livenessProbe.httpGet, readinessProbe.httpGet]) expectEqual(path, get(path)[0], 200)
expectEqual("/ without the token", get("/")[0], 401)
expectEqual("/ is the page", /<title>.*<\/title>/.exec(get("/", headers)[1]) !== null, true)

process.kill(pid, "SIGTERM")
expectEqual("exit code after SIGTERM", (await ended)[0], 0)
