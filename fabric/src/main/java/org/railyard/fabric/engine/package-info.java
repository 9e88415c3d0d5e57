/** Routing engines that need nothing but the fabric: baselines to compare with. */
@NullMarked
package org.railyard.fabric.engine;

import org.jspecify.annotations.NullMarked;
