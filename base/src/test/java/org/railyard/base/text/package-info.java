/** Tests. */
@NullMarked
package org.railyard.base.text;

import org.jspecify.annotations.NullMarked;
