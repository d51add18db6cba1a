/**
 * The HTTP surfaces, from outside. Start with {@link dev.laurel.server.api.Api}, which holds every
 * answer that any of these tests gets against openapi.yaml.
 */
@NullMarked
package dev.laurel.server.api;

import org.jspecify.annotations.NullMarked;
