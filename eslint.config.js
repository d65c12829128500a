import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

// oxlint is the lint gate. Here stand only the rules that need types, which oxlint has no checker for by itself.
export default defineConfig(
  globalIgnores(['dist/', 'out/', 'coverage/', 'docs/api/', 'fixtures/', '.stryker-tmp/', 'reports/']),
  {
    files: ['**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    // Directives for oxlint are read by it alone.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
)
