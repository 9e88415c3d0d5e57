/** Bonds: which NIDs an administrator has put together (spec 21 §10.1). Guarded by the stack's lock. */
@NullMarked
package org.railyard.lnet.bond;

import org.jspecify.annotations.NullMarked;
