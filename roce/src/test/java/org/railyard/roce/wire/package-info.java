/** Tests of the structures on the wire. */
@NullMarked
package org.railyard.roce.wire;

import org.jspecify.annotations.NullMarked;
