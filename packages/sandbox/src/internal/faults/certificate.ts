/**
 * What a fault server shows over TLS: a certificate that it signed itself, for localhost and 127.0.0.1, good until 2120.
 * The key guards nothing: it is published, and no one trusts it who was not told to.
 */

/** The certificate, as PEM. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ6gAwIBAgICEAAwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxo
b3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAUMRIwEAYDVQQD
DAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR4E1GaqKkI76Q5
4G0W7zcpIRbEflbknXTekwpk3fr5/DKiGqe6AcorwzlvFkygpE7h56C7y23Kh1RG
6xzT1t6io04wTDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwDwYDVR0TAQH/
BAUwAwEB/zAdBgNVHQ4EFgQUbfTeGt6XCq766uZ9wyK8qSxZZF8wCgYIKoZIzj0E
AwIDSAAwRQIhAL1wqMuGaBWaJ61D7xobESX7YQiFismZvRap1/mH7DTdAiBlImrZ
VQczsttxpm12eUztER7d2dYFfwZVSNbqSHU7yQ==
-----END CERTIFICATE-----
`

/** Its key, as PEM. */
export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgO7+LFMwzloRHD+bP
xCDsr3oZQyBN3teo2hKco7JfOhChRANCAAR4E1GaqKkI76Q54G0W7zcpIRbEflbk
nXTekwpk3fr5/DKiGqe6AcorwzlvFkygpE7h56C7y23Kh1RG6xzT1t6i
-----END PRIVATE KEY-----
`
