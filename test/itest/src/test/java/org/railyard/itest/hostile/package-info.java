/** Peers that are broken, hostile, or simply something else: none of them hurts the node for others. */
@NullMarked
package org.railyard.itest.hostile;

import org.jspecify.annotations.NullMarked;
