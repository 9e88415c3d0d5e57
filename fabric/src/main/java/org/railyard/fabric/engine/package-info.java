/** Routing engines that need nothing but the fabric: for fat trees, for any fabric, and baselines to compare with. */
@NullMarked
package org.railyard.fabric.engine;

import org.jspecify.annotations.NullMarked;
