@NullMarked
package org.railyard.roce.net;

import org.jspecify.annotations.NullMarked;
