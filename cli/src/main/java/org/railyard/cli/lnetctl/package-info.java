/**
 * The configuration tool: commands, options, outputs and exit codes that administrators and scripts know (spec 12
 * §1–§2). Knows a node only as {@code Dlc}.
 */
@NullMarked
package org.railyard.cli.lnetctl;

import org.jspecify.annotations.NullMarked;
