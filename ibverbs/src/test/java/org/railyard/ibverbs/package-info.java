@NullMarked
package org.railyard.ibverbs;

import org.jspecify.annotations.NullMarked;
