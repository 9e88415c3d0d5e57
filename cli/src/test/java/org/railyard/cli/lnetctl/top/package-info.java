/** Tests. */
@NullMarked
package org.railyard.cli.lnetctl.top;

import org.jspecify.annotations.NullMarked;
