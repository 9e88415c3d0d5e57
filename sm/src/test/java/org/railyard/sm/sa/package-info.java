@NullMarked
package org.railyard.sm.sa;

import org.jspecify.annotations.NullMarked;
