/** A verbs provider on a simulated fabric (spec 23 §3), in virtual time and from one seed: fabric and machines. */
@NullMarked
package org.railyard.softverbs;

import org.jspecify.annotations.NullMarked;
