@NullMarked
package org.railyard.sm.lid;

import org.jspecify.annotations.NullMarked;
