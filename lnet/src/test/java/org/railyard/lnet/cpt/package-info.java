/** CPU partitions. */
@NullMarked
package org.railyard.lnet.cpt;

import org.jspecify.annotations.NullMarked;
