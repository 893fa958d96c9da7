/** A certificate for this machine, made when it is needed, signed with its own key (RFC 5280). */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"
import * as der from "./der.js"

/** What a server shows, and what it proves it by; both PEM. The key is known to no one else, and gone when the process is. */
export interface Identity {
  readonly certificate: string
  readonly privateKey: string
}

const day = 24 * 60 * 60 * 1000

/** From the day before, for clocks that are late, and for a year. */
const validity = (at: number) => ({ from: at - day, to: at + 365 * day })

const oids = {
  commonName: "2.5.4.3",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  subjectKeyIdentifier: "2.5.29.14",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
}

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(bytes.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`

const critical = (id: string, content: Buffer) => der.sequence(der.identifier(id), der.yes, der.octets(content))
const extension = (id: string, content: Buffer) => der.sequence(der.identifier(id), der.octets(content))

/** Under which names the machine knows itself. */
const names = der.sequence(
  der.tagged(2, Buffer.from("localhost"), "plain"),
  der.tagged(7, Buffer.from([127, 0, 0, 1]), "plain"),
  der.tagged(7, Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]), "plain"),
)

/** Makes one. `at` is now, in milliseconds since 1970. */
export const make = (at: number): Identity => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const spki = publicKey.export({ type: "spki", format: "der" })
  const name = der.sequence(der.set(der.sequence(der.identifier(oids.commonName), der.text("localhost"))))
  const algorithm = der.sequence(der.identifier(oids.ecdsaWithSha256))
  const { from, to } = validity(at)
  const extensions = der.sequence(
    // No authority: who trusts it trusts this server, and no other that it might have signed for.
    critical(oids.basicConstraints, der.sequence()),
    extension(oids.extendedKeyUsage, der.sequence(der.identifier(oids.serverAuth))),
    extension(oids.subjectAltName, names),
    extension(oids.subjectKeyIdentifier, der.octets(createHash("sha1").update(spki).digest())),
  )
  const signed = der.sequence(
    der.tagged(0, der.integer(Buffer.from([2])), "value"),
    der.integer(randomBytes(16)),
    algorithm,
    name,
    der.sequence(der.time(from), der.time(to)),
    name,
    spki,
    der.tagged(3, extensions, "value"),
  )
  return {
    certificate: pem(der.sequence(signed, algorithm, der.bits(sign("sha256", signed, privateKey)))),
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}
