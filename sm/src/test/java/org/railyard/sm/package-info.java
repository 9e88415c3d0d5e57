@NullMarked
package org.railyard.sm;

import org.jspecify.annotations.NullMarked;
