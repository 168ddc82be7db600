{{- define "decant.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "decant.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "decant.labels" -}}
{{ include "decant.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "decant.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "decant.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- required "serviceAccount.name: needed where serviceAccount.create is false" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* Whether the dashboard is reached through a Service: with TLS, or without it if told to. */}}
{{- define "decant.dashboardService" -}}
{{- if and .Values.dashboard.enabled (or .Values.dashboard.tls.secret .Values.dashboard.plainHttp) }}yes{{ end }}
{{- end }}
