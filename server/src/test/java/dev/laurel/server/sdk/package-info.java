/** The TypeScript client, against a real server. */
@NullMarked
package dev.laurel.server.sdk;

import org.jspecify.annotations.NullMarked;
