// SPDX-License-Identifier: GPL-3.0-or-later
// Solves a program with the npm package highs (HiGHS compiled to WebAssembly) and writes the answer
// in the format of the program highs. usage: node highs.js PROGRAM.lp TIME_LIMIT_S ANSWER.sol
'use strict';
const fs = require('fs');
const [program, limit, answer] = process.argv.slice(2);
require('highs')().then(highs => {
  const text = fs.readFileSync(program, 'utf8');
  const found = highs.solve(text, {mip_rel_gap: 0, time_limit: Number(limit), output_flag: false});
  if (found.Status !== 'Optimal') {
    console.log(found.Status);
    process.exit(1);
  }
  const columns = Object.values(found.Columns);
  fs.writeFileSync(answer, [
    'Model status', 'Optimal', '', '# Primal solution values', 'Feasible',
    `Objective ${found.ObjectiveValue}`, `# Columns ${columns.length}`,
    ...columns.map(column => `${column.Name} ${column.Primal}`), '# Rows 0', '',
  ].join('\n'));
});
