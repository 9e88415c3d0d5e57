@NullMarked
package org.railyard.sm.subnet;

import org.jspecify.annotations.NullMarked;
