@NullMarked
package org.railyard.sm.live;

import org.jspecify.annotations.NullMarked;
