/** The connection manager over UDP (spec 23 §5.3). */
@NullMarked
package org.railyard.roce.cm;

import org.jspecify.annotations.NullMarked;
