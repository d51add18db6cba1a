/** Tests of the server as a whole. Start with {@link dev.laurel.server.TestServer}. */
@NullMarked
package dev.laurel.server;

import org.jspecify.annotations.NullMarked;
