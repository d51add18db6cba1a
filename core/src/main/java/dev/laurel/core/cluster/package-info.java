/**
 * What a node does because there are others: it looks for what they committed. Start with {@link
 * dev.laurel.core.cluster.StoreFollower}.
 */
@NullMarked
package dev.laurel.core.cluster;

import org.jspecify.annotations.NullMarked;
