/** Tests of the wire structures against captured bytes and damaged input. */
@NullMarked
package org.railyard.lnet.wire;

import org.jspecify.annotations.NullMarked;
