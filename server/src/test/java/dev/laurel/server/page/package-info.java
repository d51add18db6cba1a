/** The pages in a real browser. Start with {@link dev.laurel.server.page.BoardPageTest}. */
@NullMarked
package dev.laurel.server.page;

import org.jspecify.annotations.NullMarked;
