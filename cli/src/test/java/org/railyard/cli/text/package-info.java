/** Tests of the package of the same name. */
@NullMarked
package org.railyard.cli.text;

import org.jspecify.annotations.NullMarked;
