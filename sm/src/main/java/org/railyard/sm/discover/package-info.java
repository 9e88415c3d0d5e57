/** Discovery of a subnet by directed routes, breadth first (spec 41 §2.1), and the fabric that comes of it. */
@NullMarked
package org.railyard.sm.discover;

import org.jspecify.annotations.NullMarked;
