/**
 * Tokens of users and services, verified by Nimbus. Start with {@link dev.laurel.jwt.JwtVerifier}.
 */
@NullMarked
package dev.laurel.jwt;

import org.jspecify.annotations.NullMarked;
