/**
 * The certificate that the sandbox and the fault servers show over TLS: self-signed, for this machine (`localhost`, 127.0.0.1 and ::1)
 * alone, valid until 2120. Its key is published with this package. It is no authority, so it cannot vouch for another host.
 */

/** The certificate, as PEM. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUCgAwIBAgIQasatuelgSI17icu62wNxXjAKBggqhkjOPQQDAjAUMRIw
EAYDVQQDDAlsb2NhbGhvc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw
MDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABEWqHAUqE1TG7uqIw1ht8TZeIvxKm1uIxHdsxd7oqWOAjJMroXZIVXUcEpgQ
KWwi5AkGVqiKXBuM4EuSsStCDgOjcjBwMAwGA1UdEwEB/wQCMAAwEwYDVR0lBAww
CgYIKwYBBQUHAwEwLAYDVR0RBCUwI4IJbG9jYWxob3N0hwR/AAABhxAAAAAAAAAA
AAAAAAAAAAABMB0GA1UdDgQWBBRPH4M5ehpMhEFJ9NrnPskT38pMsDAKBggqhkjO
PQQDAgNIADBFAiEArQKVKtrzjZHXuhXjjcWTfKO2F4oUM2wo391DtV3GqbMCICOL
A9bZ522KAYKP9Mq6GmIUpx8hhCPLXmL8WfGRrQhj
-----END CERTIFICATE-----
`

/** Its private key, as PEM. */
export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdZqhfgTgkQBhhT6y
3bvfIk3ycO17Sv5vxtxVnLxyzEyhRANCAARFqhwFKhNUxu7qiMNYbfE2XiL8Sptb
iMR3bMXe6KljgIyTK6F2SFV1HBKYEClsIuQJBlaoilwbjOBLkrErQg4D
-----END PRIVATE KEY-----
`
