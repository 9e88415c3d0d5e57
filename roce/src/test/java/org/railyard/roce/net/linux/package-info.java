@NullMarked
package org.railyard.roce.net.linux;

import org.jspecify.annotations.NullMarked;
