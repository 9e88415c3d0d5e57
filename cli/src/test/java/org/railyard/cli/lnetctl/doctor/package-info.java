/** Tests. */
@NullMarked
package org.railyard.cli.lnetctl.doctor;

import org.jspecify.annotations.NullMarked;
